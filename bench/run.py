#!/usr/bin/env python3
"""Run the kernels under several compilers, side by side; or time compilation alone.

    run.py --compiler 'CMD -o {out} {src}'        kernels, ratios to gcc -O2
    run.py --compile-time --compiler 'CMD ...'    generated programs, time and peak memory

See README.md.  Only the standard library is used.
"""
import argparse
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

CFLAGS = '-fwrapv -ffp-contract=off -w'

# name -> (needed program, language, command).  {inc} is the folder of bench.h.
PEERS = {
    'gcc-O0': ('gcc', 'c', 'gcc -O0 %s -I{inc} -o {out} {src}' % CFLAGS),
    'gcc-O1': ('gcc', 'c', 'gcc -O1 %s -I{inc} -o {out} {src}' % CFLAGS),
    'gcc-O2': ('gcc', 'c', 'gcc -O2 %s -I{inc} -o {out} {src}' % CFLAGS),
    'gcc-O3': ('gcc', 'c', 'gcc -O3 %s -I{inc} -o {out} {src}' % CFLAGS),
    'clang-O2': ('clang', 'c', 'clang -O2 %s -I{inc} -o {out} {src}' % CFLAGS),
    'tcc': ('tcc', 'c', 'tcc -w -I{inc} -o {out} {src}'),
    'go': ('go', 'go', 'go build -o {out} {src}'),
}

# The same for --compile-time: to an object file, without linking.
CT_PEERS = {
    'tcc': ('tcc', 'c', 'tcc -w -c -o {out} {src}'),
    'gcc-O0': ('gcc', 'c', 'gcc -O0 %s -c -o {out} {src}' % CFLAGS),
    'gcc-O1': ('gcc', 'c', 'gcc -O1 %s -c -o {out} {src}' % CFLAGS),
    'gcc-O2': ('gcc', 'c', 'gcc -O2 %s -c -o {out} {src}' % CFLAGS),
    'clang-O2': ('clang', 'c', 'clang -O2 %s -fbracket-depth=100000 -c -o {out} {src}' % CFLAGS),
    'go': ('go', 'go', 'go tool compile -c=1 -p main -o {out} {src}'),
}
CT_DEFAULT = 'tcc,gcc-O0,gcc-O2,go'


class Result:
    def __init__(self, status, out, cpu, wall, rss):
        self.status, self.out, self.cpu, self.wall, self.rss = status, out, cpu, wall, rss


def execute(argv, timeout, cwd=None, core=None, memory=None, stack=None):
    """Run argv; return its status ('ok', 'exit N', 'signal N' or 'timeout'), output and cost.

    The cost counts the process and the descendants that it waited for."""
    out = tempfile.TemporaryFile()

    def prepare():
        os.setsid()
        if core is not None:
            os.sched_setaffinity(0, {core})
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if stack:
            soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
            want = stack if hard == resource.RLIM_INFINITY else min(stack, hard)
            resource.setrlimit(resource.RLIMIT_STACK, (want, hard))

    begin = time.monotonic()
    try:
        p = subprocess.Popen(argv, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             cwd=cwd, preexec_fn=prepare)
    except OSError as e:
        return Result('cannot start: %s' % e, '', 0.0, 0.0, 0)
    expired = False

    def expire(signum, frame):
        nonlocal expired
        expired = True
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    old = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, timeout)
    try:
        _, status, usage = os.wait4(p.pid, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    wall = time.monotonic() - begin
    p.returncode = os.waitstatus_to_exitcode(status)
    out.seek(0)
    text = out.read(1 << 20).decode('utf-8', 'replace')
    out.close()
    if expired:
        state = 'timeout'
    elif p.returncode < 0:
        state = 'signal %d' % -p.returncode
    elif p.returncode > 0:
        state = 'exit %d' % p.returncode
    else:
        state = 'ok'
    return Result(state, text, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss)


def split_label(text, default):
    m = re.match(r'^([A-Za-z0-9._+-]+)=(.*)$', text, re.S)
    return (m.group(1), m.group(2)) if m else (default, text)


def command(template, **values):
    return ['sh', '-c', template.format(**values)]


def last_integer(text):
    for line in reversed(text.strip().splitlines()):
        if re.match(r'^\s*-?\d+\s*$', line):
            return int(line)
    return None


def geomean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def read_manifest(path):
    rows = []
    for line in open(path):
        line = line.rstrip('\n')
        if not line or line.startswith('#'):
            continue
        name, arg, expected, stresses = line.split('\t')
        rows.append((name, int(arg), int(expected), stresses))
    return rows


def table(header, rows):
    width = [max(len(r[i]) for r in [header] + rows) for i in range(len(header))]
    lines = []
    for r in [header] + rows:
        lines.append('  '.join(c.ljust(width[i]) if i == 0 else c.rjust(width[i]) for i, c in enumerate(r)).rstrip())
    lines.insert(1, '  '.join('-' * w for w in width))
    return '\n'.join(lines)


# ---------------------------------------------------------------------------
# Kernels

def smp_source(path, name, arg, mode, work):
    """The Simple source, rewritten for compilers whose `arg` is not the first argument."""
    if mode == 'argv':
        return path
    text = open(path).read()
    call = 'return %s(arg);' % name
    if call not in text:
        raise SystemExit('%s does not end in "%s"' % (path, call))
    value = str(arg) if mode == 'const' else 'arg - 2 + %d' % arg
    new = os.path.join(work, name + '.smp')
    open(new, 'w').write(text.replace(call, 'return %s(%s);' % (name, value)))
    return new


def judge(result, expected, how):
    """None when right, else what is wrong."""
    if result.status == 'timeout':
        return 'TIMEOUT'
    if how != 'exit':
        value = last_integer(result.out)
        if value is not None:
            if value != expected:
                return 'WRONG(%d)' % value
            return None if result.status == 'ok' or how == 'auto' else 'CRASH(%s)' % result.status
        if how == 'stdout':
            return 'NO RESULT(%s)' % result.status
    code = 0 if result.status == 'ok' else int(result.status[5:]) if result.status.startswith('exit') else None
    if code is None:
        return 'CRASH(%s)' % result.status
    return None if code == expected & 255 else 'WRONG(exit %d)' % code


def kernels(a):
    manifest = read_manifest(os.path.join(HERE, 'manifest.tsv'))
    if a.only:
        wanted = a.only.split(',')
        unknown = set(wanted) - {m[0] for m in manifest}
        if unknown:
            raise SystemExit('no such benchmark: ' + ', '.join(sorted(unknown)))
        manifest = [m for m in manifest if m[0] in wanted]
    peers = []  # (label, language, template, ours)
    for name in (a.peers.split(',') if a.peers else PEERS):
        if name == 'none':
            continue
        if name not in PEERS:
            raise SystemExit('no such peer: %s (there are %s)' % (name, ' '.join(PEERS)))
        need, lang, template = PEERS[name]
        if shutil.which(need):
            peers.append((name, lang, template, False))
        else:
            print('skipped: %s is not installed' % name, file=sys.stderr)
    for t in a.c_peer:
        label, template = split_label(t, 'c-peer')
        peers.append((label, 'c', template, False))
    for t in a.compiler:
        label, template = split_label(t, 'project')
        peers.append((label, 'smp', template, True))
    if not peers:
        raise SystemExit('nothing to run')
    labels = [p[0] for p in peers]
    if len(set(labels)) != len(labels):
        raise SystemExit('two compilers have one name: ' + ' '.join(labels))
    base = a.base if a.base in labels else labels[0]

    work = tempfile.mkdtemp(prefix='bench-')
    report = {'rounds': a.rounds, 'metric': a.metric, 'base': base, 'peers': labels, 'kernels': {}}
    failures = []
    rows = []
    ratios = {l: [] for l in labels}
    for name, arg, expected, stresses in manifest:
        ready = []
        entry = {'arg': arg, 'expected': expected, 'results': {}}
        for label, lang, template, ours in peers:
            src = os.path.join(HERE, name, '%s.%s' % (name, lang))
            out = os.path.join(work, '%s.%s' % (name, label))
            if lang == 'smp':
                src = smp_source(src, name, arg, a.smp_arg, work)
            build = execute(command(template, src=src, out=out, inc=os.path.join(HERE, 'common'), name=name),
                            a.timeout, cwd=os.path.join(HERE, name) if lang == 'go' else work)
            r = entry['results'][label] = {'build_s': round(build.wall, 4), 'build_rss_kib': build.rss}
            if build.status != 'ok' or not os.path.exists(out):
                r['failure'] = 'BUILD(%s)' % build.status
                r['message'] = build.out[-2000:]
                failures.append((name, label, r['failure'], ours))
            else:
                r['cpu_s'], r['wall_s'] = [], []
                ready.append((label, lang, out, ours, r))
        for _ in range(a.rounds):
            for label, lang, out, ours, r in ready:
                if 'failure' in r:
                    continue
                how = a.smp_result if lang == 'smp' else 'stdout'
                res = execute([out, str(arg)], a.timeout, cwd=work, core=a.core)
                wrong = judge(res, expected, how)
                if wrong:
                    r['failure'] = wrong
                    r['message'] = res.out[-500:]
                    failures.append((name, label, wrong, ours))
                    continue
                r['cpu_s'].append(round(res.cpu, 4))
                r['wall_s'].append(round(res.wall, 4))
                r['rss_kib'] = max(r.get('rss_kib', 0), res.rss)
        for label, lang, out, ours, r in ready:
            if r.get(a.metric + '_s') and 'failure' not in r:
                r['min_s'] = max(min(r[a.metric + '_s']), 1e-4)
            if not a.keep and os.path.exists(out):
                os.remove(out)
        b = entry['results'][base].get('min_s')
        row = [name, '%.3f' % b if b else 'FAIL']
        for label in labels:
            if label == base:
                continue
            r = entry['results'][label]
            if 'min_s' not in r:
                row.append(r['failure'].split('(')[0])
            elif b:
                r['ratio'] = round(r['min_s'] / b, 4)
                ratios[label].append(r['ratio'])
                row.append('%.2f' % r['ratio'])
            else:
                row.append('%.3fs' % r['min_s'])
        rows.append(row)
        report['kernels'][name] = entry
        if a.verbose:
            print('  '.join(row), file=sys.stderr, flush=True)
    others = [l for l in labels if l != base]
    means = {l: geomean(ratios[l]) for l in others}
    rows.append(['geometric mean', ''] + ['%.2f' % means[l] if means[l] else '-' for l in others])
    rows.append(['kernels', str(len(manifest))] + [str(len(ratios[l])) for l in others])
    report['geomean'] = {l: round(means[l], 4) if means[l] else None for l in others}
    report['failures'] = [list(f[:3]) for f in failures]
    print('%s seconds of %s, then times relative to it (below 1 is faster); least of %d interleaved runs'
          % ('CPU' if a.metric == 'cpu' else 'Wall', base, a.rounds))
    print(table(['kernel', base + ' s'] + others, rows))
    for name, label, what, ours in failures:
        print('FAILED %s with %s: %s' % (name, label, what))
    if a.keep:
        print('kept: ' + work)
    else:
        shutil.rmtree(work, ignore_errors=True)
    return report, any(ours for *_, ours in failures)


# ---------------------------------------------------------------------------
# Compile time

def compile_time(a):
    import gen
    programs = gen.suite(a.suite)
    if a.only:
        wanted = a.only.split(',')
        programs = [p for p in programs if p[0] in wanted or '%s-%d' % p in wanted]
    peers = []
    for name in (a.peers or CT_DEFAULT).split(','):
        if name == 'none':
            continue
        if name not in CT_PEERS:
            raise SystemExit('no such peer: %s (there are %s)' % (name, ' '.join(CT_PEERS)))
        need, lang, template = CT_PEERS[name]
        if shutil.which(need):
            peers.append((name, lang, template, False))
        else:
            print('skipped: %s is not installed' % name, file=sys.stderr)
    for t in a.c_peer:
        label, template = split_label(t, 'c-peer')
        peers.append((label, 'c', template, False))
    for t in a.compiler:
        label, template = split_label(t, 'project')
        peers.append((label, 'smp', template, True))
    work = tempfile.mkdtemp(prefix='bench-')
    report = {'rounds': a.rounds, 'programs': {}}
    rows, failures = [], []
    for shape, size in programs:
        paths = gen.write(shape, size, work)
        lines = sum(1 for _ in open(paths['c']))
        entry = {'lines': lines, 'results': {p[0]: {'cpu_s': [], 'wall_s': []} for p in peers}}
        for _ in range(a.rounds):
            for label, lang, template, ours in peers:
                r = entry['results'][label]
                if 'failure' in r:
                    continue
                out = os.path.join(work, 'out.' + label)
                if os.path.exists(out):
                    os.remove(out)
                res = execute(command(template, src=paths[lang], out=out, inc=os.path.join(HERE, 'common'), name=shape),
                              a.timeout, cwd=work, core=a.core, memory=a.memory << 20 if a.memory else None,
                              stack=a.stack << 20 if a.stack else None)
                if res.status != 'ok':
                    r['failure'] = 'TIMEOUT' if res.status == 'timeout' else 'FAIL(%s)' % res.status
                    r['message'] = res.out[-1000:]
                    r['cost_s'] = round(res.wall, 2)
                    failures.append((shape, size, label, r['failure'], ours))
                    continue
                r['cpu_s'].append(round(res.cpu, 4))
                r['wall_s'].append(round(res.wall, 4))
                r['rss_kib'] = max(r.get('rss_kib', 0), res.rss)
                if os.path.exists(out):
                    r['size'] = os.path.getsize(out)
        row = ['%s-%d' % (shape, size), str(lines)]
        for label, *_ in peers:
            r = entry['results'][label]
            if 'failure' in r:
                row += [r['failure'].split('(')[0], '-']
            else:
                r['min_s'] = min(r[a.metric + '_s'])
                row += ['%.2f' % r['min_s'], '%d' % (r['rss_kib'] / 1024)]
        rows.append(row)
        report['programs']['%s-%d' % (shape, size)] = entry
        for p in paths.values():
            os.remove(p)
        if a.verbose:
            print('  '.join(row), file=sys.stderr, flush=True)
    header = ['program', 'C lines']
    for label, *_ in peers:
        header += [label + ' s', 'MiB']
    print('%s seconds to compile (least of %d interleaved runs) and peak memory of the largest process'
          % ('CPU' if a.metric == 'cpu' else 'Wall', a.rounds))
    print(table(header, rows))
    def growth_of(r, what):
        return r.get('min_s') if what == 'time' else r.get('rss_kib')

    growth = []
    by_shape = {}
    for shape, size in programs:
        by_shape.setdefault(shape, []).append(size)
    for shape, sizes in by_shape.items():
        for small, large in zip(sizes, sizes[1:]):
            row = ['%s %d to %d' % (shape, small, large)]
            for label, *_ in peers:
                for what in ('time', 'memory'):
                    p = growth_of(report['programs']['%s-%d' % (shape, small)]['results'][label], what)
                    q = growth_of(report['programs']['%s-%d' % (shape, large)]['results'][label], what)
                    row.append('%.2f' % (math.log(q / p) / math.log(large / small)) if p and q else '-')
            growth.append(row)
    if growth:
        print('\nGrowth: the exponent k in time ~ size^k, and the same for memory, between two sizes (1 is linear, 2 quadratic)')
        print(table(['program'] + [h for p in peers for h in (p[0], 'MiB')], growth))
    for shape, size, label, what, ours in failures:
        print('FAILED %s-%d with %s: %s' % (shape, size, label, what))
    shutil.rmtree(work, ignore_errors=True)
    return report, any(f[-1] for f in failures)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--compiler', action='append', default=[], metavar='[NAME=]CMD',
                   help='command that builds a program from Simple source; {src}, {out} and {name} are filled in')
    p.add_argument('--c-peer', action='append', default=[], metavar='NAME=CMD',
                   help='one more C compiler; {src}, {out}, {inc} and {name} are filled in')
    p.add_argument('--peers', help='comma-separated choice of built-in peers, or none')
    p.add_argument('--only', help='comma-separated choice of kernels (or generated programs)')
    p.add_argument('-n', '--rounds', type=int, help='interleaved runs of each (5; 3 for --compile-time)')
    p.add_argument('--metric', choices=('cpu', 'wall'), default='cpu',
                   help='what to compare: user+system time (good on a busy machine), or elapsed time')
    p.add_argument('--base', default='gcc-O2', help='what the ratios are relative to')
    p.add_argument('--smp-arg', choices=('argv', 'argc', 'const'), default='argv',
                   help='what `arg` is in a built program: its first argument, its argument count, '
                        'or nothing (the size is then written into the source)')
    p.add_argument('--smp-result', choices=('auto', 'stdout', 'exit'), default='auto',
                   help='where the result of a built program is: the last line printed, or the exit status (low 8 bits)')
    p.add_argument('--timeout', type=float, default=120, help='seconds for one build or run')
    p.add_argument('--core', type=int, help='run everything timed on this processor core')
    p.add_argument('--json', metavar='FILE', help='write everything measured')
    p.add_argument('--keep', action='store_true', help='keep the built programs')
    p.add_argument('-v', '--verbose', action='store_true', help='show each row when it is done')
    p.add_argument('--compile-time', action='store_true', help='time compilation of generated programs')
    p.add_argument('--suite', choices=('smoke', 'lines', 'shapes', 'all', 'smoke11', 'level11', 'smoke17', 'level17'), default='all',
                   help='which generated programs (--compile-time)')
    p.add_argument('--memory', type=int, default=8192,
                   help='address space limit of a compiler in MiB, 8192 unless told, 0 for none (--compile-time)')
    p.add_argument('--stack', type=int, default=0, help='stack limit of a compiler in MiB (--compile-time)')
    a = p.parse_args()
    if a.rounds is None:
        a.rounds = 3 if a.compile_time else 5
    report, bad = (compile_time if a.compile_time else kernels)(a)
    if a.json:
        with open(a.json, 'w') as f:
            json.dump(report, f, indent=1)
            f.write('\n')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
