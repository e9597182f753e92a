/* By counting. */
int64_t run(int64_t arg) {
	int count[10] = {0};
	int64_t out = 0;
	uint64_t x = arg < 0 ? -(uint64_t)arg : (uint64_t)arg;
	for (int i = 0; i < 5; i++, x /= 10)
		count[x % 10]++;
	for (int digit = 0; digit < 10; digit++)
		while (count[digit]-- > 0)
			out = out * 10 + digit;
	return out;
}
