#!/usr/bin/env python3
"""Generate equivalent large programs in Simple, C and Go for timing compilation.

    gen.py [--level 11|17] SHAPE SIZE DIR      writes DIR/SHAPE-SIZE.{smp,c,go}
    gen.py --list                           names the shapes

With --level 11 the program is one main of the language of chapter 11: + - * /,
comparisons and while, without functions, arrays or bit operations, and the
file is called SHAPE11-SIZE. With --level 17 it is one main with arrays or
objects (stores, objects), called SHAPE17-SIZE.

The same (SHAPE, SIZE) gives the same text always.  Every program is one
function of the program's argument and gives one 64-bit integer, the same in
the three languages; the C and Go ones print it.  The C functions are not
static: gcc -O2 would inline every one that is called once into one function
that is too large for the memory of the machine.
"""
import os
import sys


class Random:
    """A small generator of its own, so that the text does not depend on the Python version."""

    def __init__(self, seed):
        self.s = seed * 2654435761 % (1 << 31) or 1

    def below(self, n):
        self.s = (self.s * 1103515245 + 12345) % (1 << 31)
        return (self.s >> 8) % n

    def pick(self, seq):
        return seq[self.below(len(seq))]


class Out:
    """Writes one program in the three languages at once, line by line.

    Expressions are spelled the same in all three (operators are fully
    parenthesized, as precedences differ); statements have a method each."""

    ops = ['+', '-', '*', '&', '|', '^', '+', '-', '>>', '<<']
    suffix = ''

    def __init__(self):
        self.smp, self.c, self.go = [], [], []
        self.depth = 0

    def low(self, v, bits):
        """The low bits of v, or something of their size."""
        return '%s & %d' % (v, (1 << bits) - 1)

    def mix(self, a, b):
        return '(%s ^ %s)' % (a, b)

    def put(self, smp, c, go):
        pad = '    ' * min(self.depth, 12)
        self.smp.append(pad + smp)
        self.c.append(pad + c)
        self.go.append('\t' * min(self.depth, 12) + go)

    def lines(self):
        return len(self.c)

    def head(self):
        self.c += ['typedef long i64;', 'extern int printf(const char *, ...);', 'extern long atol(const char *);',
                   'extern void *calloc(unsigned long, unsigned long);', '']
        self.go += ['package main', '']

    def fun(self, name, ints, array=False):
        self.put('val %s = { %s%s ->' % (name, 'int[] m, ' if array else '', ', '.join('int ' + i for i in ints)),
                 'i64 %s(%s%s) {' % (name, 'i64 *m, ' if array else '', ', '.join('i64 ' + i for i in ints)),
                 'func %s(%s%s int) int {' % (name, 'm []int, ' if array else '', ', '.join(ints)))
        self.depth += 1

    def endfun(self):
        self.depth -= 1
        self.put('};', '}', '}')

    def decl(self, v, e):
        self.put('int %s = %s;' % (v, e), 'i64 %s = %s;' % (v, e), '%s := %s' % (v, e))

    def set(self, v, e):
        self.put('%s = %s;' % (v, e), '%s = %s;' % (v, e), '%s = %s' % (v, e))

    def if_(self, cond):
        self.put('if( %s ) {' % cond, 'if (%s) {' % cond, 'if %s {' % cond)
        self.depth += 1

    def elif_(self, cond):
        self.depth -= 1
        self.put('} else if( %s ) {' % cond, '} else if (%s) {' % cond, '} else if %s {' % cond)
        self.depth += 1

    def else_(self):
        self.depth -= 1
        self.put('} else {', '} else {', '} else {')
        self.depth += 1

    def end(self):
        self.depth -= 1
        self.put('}', '}', '}')

    def for_(self, v, n):
        self.put('for( int %s = 0; %s < %s; %s++ ) {' % (v, v, n, v), 'for (i64 %s = 0; %s < %s; %s++) {' % (v, v, n, v),
                 'for %s := 0; %s < %s; %s++ {' % (v, v, n, v))
        self.depth += 1

    def ret(self, e):
        self.put('return %s;' % e, 'return %s;' % e, 'return %s' % e)

    def main(self, entry, array=False):
        """The top level: entry(arg), or entry(m, arg) with an array of 16."""
        if array:
            self.smp += ['int[] !mem = new int[16];', 'return %s(mem, arg);' % entry]
            call = '%s(calloc(16, 8), n)' % entry
            gocall = '%s(make([]int, 16), n)' % entry
        else:
            self.smp += ['return %s(arg);' % entry]
            call, gocall = '%s(n)' % entry, '%s(n)' % entry
        self.c += ['int main(int argc, char **argv) {', '    i64 n = argc > 1 ? atol(argv[1]) : 0;',
                   '    printf("%%ld\\n", %s);' % call, '    return 0;', '}']
        self.go += ['var n int', '', 'func main() {', '\tprintln(%s)' % gocall, '}']


class Out11(Out):
    """The same in the language of chapter 11: one function, and it is main.

    A loop is a while in all three languages; the counter has a block of its own."""

    ops = ['+', '-', '*', '+', '-', '/']
    suffix = '11'

    def __init__(self):
        super().__init__()
        self.open = []  # what end closes: the counter of a loop, or None

    def low(self, v, bits):
        return '%s - %s / %d * %d' % (v, v, 1 << bits, 1 << bits)

    def mix(self, a, b):
        return '(%s - %s)' % (a, b)

    def fun(self, name, ints, array=False):
        self.put('int %s = arg;' % ints[0], 'i64 %s(i64 %s) {' % (name, ints[0]), 'func %s(%s int) int {' % (name, ints[0]))
        self.depth += 1

    def endfun(self):
        self.depth -= 1
        self.c.append('}')
        self.go.append('}')

    def if_(self, cond):
        super().if_(cond)
        self.open.append(None)

    def for_(self, v, n):
        self.put('{ int %s = 0; while( %s < %s ) {' % (v, v, n), '{ i64 %s = 0; while (%s < %s) {' % (v, v, n),
                 '{ %s := 0; for %s < %s {' % (v, v, n))
        self.depth += 1
        self.open.append(v)

    def end(self):
        v = self.open.pop()
        if v:
            self.set(v, '%s + 1' % v)
        super().end()
        if v:
            self.put('}', '}', '}')

    def main(self, entry, array=False):
        self.c += ['int main(int argc, char **argv) {', '    i64 n = argc > 1 ? atol(argv[1]) : 0;',
                   '    printf("%%ld\\n", %s(n));' % entry, '    return 0;', '}']
        self.go += ['var n int', '', 'func main() {', '\tprintln(%s(n))' % entry, '}']


class Out17(Out11):
    """One main in the language of chapter 17: arrays, objects and bit operations too."""

    suffix = '17'

    def low(self, v, bits):
        return Out.low(self, v, bits)

    def mix(self, a, b):
        return Out.mix(self, a, b)

    def fun(self, name, ints, array=False):
        super().fun(name, ints)
        if array:
            self.put('int[] !m = new int[16];', 'i64 *m = calloc(16, sizeof(i64));', 'm := make([]int, 16)')

    def struct(self, name, fields):
        self.smp += ['struct %s { int %s; };' % (name, ', '.join(fields))]
        self.c += ['struct %s { i64 %s; };' % (name, ', '.join(fields)), '']
        self.go += ['type %s struct { %s int }' % (name, ', '.join(fields)), '']

    def new(self, v, struct):
        self.put('%s !%s = new %s;' % (struct, v, struct), 'struct %s *%s = calloc(1, sizeof(struct %s));' % (struct, v, struct),
                 '%s := new(%s)' % (v, struct))

    def setfield(self, v, f, e):
        """Expressions spell the access to a field as v.f; C wants an arrow."""
        self.put('%s.%s = %s;' % (v, f, e), '%s->%s = %s;' % (v, f, e.replace('.', '->')), '%s.%s = %s' % (v, f, e))


def expr(o, r, vs, depth=2):
    """A wrap-around integer expression over the names vs; division is by constants."""
    if depth == 0 or r.below(4) == 0:
        return r.pick(vs) if r.below(4) else str(1 + r.below(1000))
    op = r.pick(o.ops)
    if op in ('>>', '<<', '/'):
        return '(%s %s %d)' % (expr(o, r, vs, depth - 1), op, 1 + r.below(7))
    return '(%s %s %s)' % (expr(o, r, vs, depth - 1), op, expr(o, r, vs, depth - 1))


def block(o, r, vs, n, loops, nest):
    """About n statements on the variables vs."""
    while n > 0:
        k = r.below(12)
        if k < 5 or nest > 3:
            o.set(r.pick(vs), expr(o, r, vs))
            n -= 1
        elif k < 7:
            if o.suffix:
                o.set(r.pick(vs), expr(o, r, vs, 1))
            else:
                o.set('m[%s & 15]' % r.pick(vs), expr(o, r, vs, 1))
            n -= 1
        elif k < 8:
            if o.suffix:
                o.set(r.pick(vs), '(%s + %s)' % (r.pick(vs), r.pick(vs)))
            else:
                o.set(r.pick(vs), '(%s + m[%s & 15])' % (r.pick(vs), r.pick(vs)))
            n -= 1
        elif k < 10:
            o.if_('%s %s %s' % (r.pick(vs), r.pick(['<', '>', '==', '!=']), expr(o, r, vs, 1)))
            block(o, r, vs, 1 + r.below(3), loops, nest + 1)
            if r.below(2):
                o.else_()
                block(o, r, vs, 1 + r.below(3), loops, nest + 1)
            o.end()
            n -= 3
        elif loops < 2:
            v = 'k%d' % nest
            o.for_(v, str(2 + r.below(6)))
            block(o, r, vs, 1 + r.below(4), loops + 1, nest + 1)
            o.set(r.pick(vs), '(%s + %s)' % (r.pick(vs), v))
            o.end()
            n -= 3


def mixed(size, o):
    """Functions of about 40 lines: loops, ifs, arithmetic, calls, an array; SIZE lines in all."""
    r = Random(1)
    k = 0
    while True:
        o.fun('fn%d' % k, ['a', 'b', 'd'], True)
        vs = ['a', 'b', 'x', 'y', 'z']
        o.if_('d <= 0')
        o.ret('(a ^ b)')
        o.end()
        o.decl('x', '(a + %d)' % k)
        o.decl('y', '(b * %d)' % (2 * k + 3))
        o.decl('z', '(a - b)')
        block(o, r, vs, 12, 0, 0)
        if k:
            o.set('z', '(z + fn%d(m, x, y, d - 1))' % r.below(k))
        block(o, r, vs, 10, 0, 0)
        o.ret('((x ^ y) + (z * 3) + (a - b))')
        o.endfun()
        k += 1
        if o.lines() + k + 10 > size:
            break
    o.fun('entry', ['n'], True)
    o.decl('s', '0')
    for i in range(k):
        o.set('s', '((s * 31) + fn%d(m, n, s, 2))' % i)
    o.ret('s')
    o.endfun()
    o.main('entry', True)


def bigfn(size, o):
    """One function of SIZE statements: assignments, small ifs, short loops, array accesses."""
    r = Random(2)
    o.fun('entry', ['n'], True)
    vs = ['v%d' % i for i in range(20)]
    for i, v in enumerate(vs):
        o.decl(v, '(n + %d)' % i)
    target = o.lines() + size
    while o.lines() < target:
        block(o, r, vs, 20, 0, 0)
    o.ret('(%s)' % ' + '.join(vs))
    o.endfun()
    o.main('entry', True)


def straight(size, o):
    """One basic block of SIZE assignments over 20 variables."""
    r = Random(3)
    o.fun('entry', ['n'])
    vs = ['v%d' % i for i in range(20)]
    for i, v in enumerate(vs):
        o.decl(v, '(n + %d)' % i)
    for i in range(size):
        o.set(r.pick(vs), expr(o, r, vs))
    o.ret('(%s)' % ' + '.join(vs))
    o.endfun()
    o.main('entry')


def deepif(size, o):
    """Ifs nested SIZE deep."""
    o.fun('entry', ['n'])
    o.decl('x', 'n')
    o.decl('y', '1')
    for i in range(size):
        if o.suffix:
            o.if_('x / %d != %d' % ((1 << (i % 40)), i % 3 + 5 if i % 40 else 3))
        else:
            o.if_('(x & %d) != %d' % ((1 << (i % 40)), i % 3 + 5 if i % 40 else 3))
        o.set('x', '(x + %d)' % (i + 1))
    o.set('y', '(y + x)')
    for i in range(size):
        o.end()
        o.set('y', '((y * 3) + x)')
    o.ret('(x + y)')
    o.endfun()
    o.main('entry')


def diamonds(size, o):
    """A chain of SIZE two-way branches, each assigning some of 50 variables on both sides."""
    r = Random(4)
    o.fun('entry', ['n'])
    vs = ['v%d' % i for i in range(50)]
    for i, v in enumerate(vs):
        o.decl(v, '(n + %d)' % i)
    for i in range(size):
        o.if_('(%s) == 0' % o.low(r.pick(vs), 1))
        for _ in range(3):
            o.set(r.pick(vs), '(%s + %s)' % (r.pick(vs), r.pick(vs)))
        o.else_()
        for _ in range(3):
            o.set(r.pick(vs), '(%s - %s)' % (r.pick(vs), r.pick(vs)))
        o.end()
    o.ret('(%s)' % ' + '.join(vs))
    o.endfun()
    o.main('entry')


def bigexpr(size, o):
    """One sum of SIZE products."""
    r = Random(5)
    o.fun('entry', ['n'])
    o.decl('a', '(n + 1)')
    o.decl('b', o.mix('n', 5))
    o.decl('c', '(a * b)')
    terms = ['(%s * %d)' % (r.pick('abcn'), 1 + r.below(100000)) for _ in range(size)]
    rows = [' + '.join(terms[i:i + 10]) for i in range(0, size, 10)]
    o.decl('s', rows[0] + ' +')
    o.smp[-1] = o.smp[-1].replace('+;', '+')
    o.c[-1] = o.c[-1].replace('+;', '+')
    for row in rows[1:-1]:
        o.put('    ' + row + ' +', '    ' + row + ' +', '\t' + row + ' +')
    o.put('    ' + rows[-1] + ';', '    ' + rows[-1] + ';', '\t' + rows[-1])
    o.ret('s')
    o.endfun()
    o.main('entry')


def nestexpr(size, o):
    """One expression of parentheses nested SIZE deep."""
    o.fun('entry', ['n'])
    e = '(' * size + 'n'
    for i in range(size):
        e += ' %s %d)' % (('+-*' if o.suffix else '+-^')[i % 3], i + 1)
    o.decl('s', e)
    o.ret('s')
    o.endfun()
    o.main('entry')


def ifchain(size, o):
    """One else-if chain of SIZE cases."""
    o.fun('pick', ['k'])
    o.decl('r', '0')
    for i in range(size):
        (o.elif_ if i else o.if_)('k == %d' % (i * 7 % (size * 7 + 1)))
        o.set('r', str(i * i % 10007))
    o.else_()
    o.set('r', '7777')
    o.end()
    o.ret('r')
    o.endfun()
    if o.suffix:
        o.main('pick')
        return
    o.fun('entry', ['n'])
    o.decl('s', '0')
    o.for_('i', '100')
    o.set('s', '((s * 3) + pick((n + (i * 7))))')
    o.end()
    o.ret('s')
    o.endfun()
    o.main('entry')


def manylocals(size, o):
    """SIZE local variables, all live across one loop."""
    o.fun('entry', ['n'])
    for i in range(size):
        o.decl('v%d' % i, '(n * %d)' % (i + 1) if i < 2 else '(v%d + %s)' % (i - 1, o.mix('v%d' % (i // 2), i)))
    o.decl('s', '0')
    o.for_('i', '(%s)' % o.low('n', 2))
    o.set('s', '((s * 5) + i)')
    o.end()
    for i in range(size):
        o.set('s', '((s * 3) + v%d)' % i)
    o.ret('s')
    o.endfun()
    o.main('entry')


def manyloops(size, o):
    """SIZE short loops one after the other in one function, ten variables carried."""
    r = Random(6)
    o.fun('entry', ['n'], True)
    vs = ['v%d' % i for i in range(10)]
    for i, v in enumerate(vs):
        o.decl(v, '(n + %d)' % i)
    for i in range(size):
        o.for_('i', '(%s)' % o.low(r.pick(vs), 3))
        if o.suffix:
            o.set(r.pick(vs), '(%s + (%s * i))' % (r.pick(vs), r.pick(vs)))
            o.set(r.pick(vs), r.pick(vs))
        else:
            o.set(r.pick(vs), '(%s + (m[(i & 15)] * i))' % r.pick(vs))
            o.set('m[%s & 15]' % r.pick(vs), r.pick(vs))
        o.end()
    o.ret('(%s)' % ' + '.join(vs))
    o.endfun()
    o.main('entry', True)


def deeploops(size, o):
    """Loops nested SIZE deep (each runs once or not at all)."""
    o.fun('entry', ['n'])
    o.decl('s', 'n')
    for i in range(size):
        o.for_('k%d' % i, '(1 + ((%s) * 0))' % o.low('s', 1))
        o.set('s', '((s * 3) + k%d + %d)' % (i, i))
    for i in range(size):
        o.end()
        o.set('s', o.mix('s', i + 1))
    o.ret('s')
    o.endfun()
    o.main('entry')


def callchain(size, o):
    """SIZE small functions, each calling the one before it twice (inlining without limit would be exponential)."""
    o.fun('fn0', ['a'])
    o.ret('(a + 1)')
    o.endfun()
    for i in range(1, size):
        o.fun('fn%d' % i, ['a'])
        o.if_('(a & 3) == 0')
        o.ret('fn%d((a >> 2))' % (i - 1))
        o.end()
        o.if_('a > %d' % (1 << 40))
        o.ret('a')
        o.end()
        o.ret('(fn%d((a | 4)) + %d)' % (i - 1, i))
        o.endfun()
    o.fun('entry', ['n'])
    o.ret('fn%d(n)' % (size - 1))
    o.endfun()
    o.main('entry')


def stores(size, o):
    """One function of SIZE array loads and stores in a row, some provably apart, some not."""
    r = Random(7)
    o.fun('entry', ['n'], True)
    vs = ['v%d' % i for i in range(8)]
    for i, v in enumerate(vs):
        o.decl(v, '(n + %d)' % i)
    for i in range(size // 2):
        k = str(r.below(16)) if r.below(3) else '%s & 15' % r.pick(vs)
        o.set('m[%s]' % k, '(%s + %d)' % (r.pick(vs), i))
        k = str(r.below(16)) if r.below(3) else '%s & 15' % r.pick(vs)
        o.set(r.pick(vs), '(m[%s] ^ %s)' % (k, r.pick(vs)))
    o.ret('(%s)' % ' + '.join(vs))
    o.endfun()
    o.main('entry', True)


def objects(size, o):
    """SIZE assignments to fields of twenty objects of five structs, from fields, with a branch now and then."""
    r = Random(8)
    fields = ['f%d' % i for i in range(8)]
    for k in range(5):
        o.struct('S%d' % k, fields)
    o.fun('entry', ['n'])
    os = ['o%d' % i for i in range(20)]
    for i, v in enumerate(os):
        o.new(v, 'S%d' % (i % 5))
        o.setfield(v, 'f0', '(n + %d)' % i)
    for i in range(size):
        if i % 16 == 0:
            o.if_('n > %d' % (i % 97))
        o.setfield(r.pick(os), r.pick(fields), '(%s.%s + %s.%s)' % (r.pick(os), r.pick(fields), r.pick(os), r.pick(fields)))
        if i % 16 == 15:
            o.end()
    if size % 16:
        o.end()
    o.decl('s', '0')
    for v in os:
        for f in fields:
            o.put('s = s * 3 + %s.%s;' % (v, f), 's = s * 3 + %s->%s;' % (v, f), 's = s*3 + %s.%s' % (v, f))
    o.ret('s')
    o.endfun()
    o.main('entry')


SHAPES = {f.__name__: f for f in (mixed, bigfn, straight, deepif, diamonds, bigexpr, nestexpr, ifchain, manylocals,
                                  manyloops, deeploops, callchain, stores, objects)}

LINES = [('mixed', 1000), ('mixed', 10000), ('mixed', 100000)]
PATHOLOGICAL = [('bigfn', 5000), ('bigfn', 50000), ('straight', 5000), ('straight', 50000), ('deepif', 100),
                ('deepif', 1000), ('diamonds', 500), ('diamonds', 5000), ('bigexpr', 10000), ('bigexpr', 100000),
                ('nestexpr', 200), ('nestexpr', 2000), ('ifchain', 1000), ('ifchain', 10000), ('manylocals', 2000),
                ('manylocals', 20000), ('manyloops', 500), ('manyloops', 5000), ('deeploops', 15), ('deeploops', 60),
                ('callchain', 500), ('callchain', 5000), ('stores', 5000), ('stores', 50000)]
SMOKE = [('mixed', 300), ('bigfn', 300), ('straight', 300), ('deepif', 20), ('diamonds', 50), ('bigexpr', 300),
         ('nestexpr', 50), ('ifchain', 100), ('manylocals', 100), ('manyloops', 30), ('deeploops', 6),
         ('callchain', 30), ('stores', 200)]

# The shapes that chapter 11 can say; their names end in 11.
FLAT11 = ('straight', 'bigfn', 'diamonds', 'bigexpr', 'ifchain', 'manylocals', 'manyloops')
NESTED11 = ('deepif', 'nestexpr')
LEVEL11 = ([(s + '11', n) for s in FLAT11 for n in (10000, 100000)] + [(s + '11', n) for s in NESTED11 for n in (1000, 10000)] +
           [('deeploops11', n) for n in (100, 1000)])
# Those that chapter 17 can say besides; their names end in 17.
FLAT17 = ('stores', 'objects')
LEVEL17 = [(s + '17', n) for s in FLAT17 for n in (10000, 100000)]
SMOKE17 = [(s + '17', 100) for s in FLAT17]
SMOKE11 = ([(s + '11', 100) for s in FLAT11 + NESTED11] + [('deeploops11', 20)])


def suite(name):
    return {'smoke': SMOKE, 'lines': LINES, 'shapes': PATHOLOGICAL, 'all': LINES + PATHOLOGICAL,
            'level11': LEVEL11, 'smoke11': SMOKE11, 'level17': LEVEL17, 'smoke17': SMOKE17}[name]


def write(shape, size, folder):
    """Write the program; return {'smp': path, 'c': path, 'go': path}."""
    o = Out11() if shape.endswith('11') else Out17() if shape.endswith('17') else Out()
    o.head()
    SHAPES[shape.removesuffix(o.suffix)](size, o)
    paths = {}
    for ext in ('smp', 'c', 'go'):
        paths[ext] = os.path.join(folder, '%s-%d.%s' % (shape, size, ext))
        with open(paths[ext], 'w') as f:
            f.write('\n'.join(getattr(o, ext)) + '\n')
    return paths


def main(argv):
    if argv == ['--list']:
        for name, f in SHAPES.items():
            print('%-11s %s' % (name, f.__doc__))
        return 0
    level = ''
    if argv[:1] == ['--level'] and argv[1:2] in (['11'], ['17']):
        level, argv = argv[1], argv[2:]
    allowed = {'': [s for s in SHAPES if s != 'objects'], '11': FLAT11 + NESTED11 + ('deeploops',), '17': FLAT17}[level]
    if len(argv) != 3 or argv[0] not in allowed:
        sys.stderr.write(__doc__)
        return 2
    for path in write(argv[0] + level, int(argv[1]), argv[2]).values():
        print(path)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
