int64_t run(int64_t arg) {
	int64_t a = arg / 1000, b = arg % 1000;
	if (a <= 0)
		return b;
	if (b <= 0)
		return a;
	while (b != 0) {
		int64_t t = a % b;
		a = b;
		b = t;
	}
	return a;
}
