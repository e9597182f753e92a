/* By doubling: F(2k) = F(k)(2F(k+1) - F(k)), F(2k+1) = F(k)^2 + F(k+1)^2. */
int64_t run(int64_t arg) {
	uint64_t a = 0, b = 1;
	if (arg < 0)
		arg = 0;
	for (int bit = 62; bit >= 0; bit--) {
		uint64_t c = a * (2 * b - a), d = a * a + b * b;
		a = c, b = d;
		if (arg >> bit & 1)
			a = d, b = c + d;
	}
	return a;
}
