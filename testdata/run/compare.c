int64_t run(int64_t arg) {
	int64_t sign = 0, inside = 0, below = 0;
	if (arg != 0)
		sign = arg < 0 ? -1 : 1;
	if (-10 <= arg && arg <= 10)
		inside = 1;
	if (arg > -100)
		below++;
	if (arg > -1)
		below += 2;
	if (arg > 0)
		below++;
	if (arg > 99)
		below++;
	return (sign + 1) * 10000 + inside * 1000 + below * 100 + (arg & 1) * 10;
}
