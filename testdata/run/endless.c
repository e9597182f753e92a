int64_t run(int64_t arg) {
	int64_t x = arg;
	while (x % 7 != 0)
		x++;
	if (x < arg)
		return -1;
	while (2 * x <= 100)
		x += 11;
	return 2 * x;
}
