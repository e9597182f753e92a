int64_t run(int64_t arg) {
	uint64_t x = arg, factorial = 1;
	for (int i = 0; i < 20; i++)
		x = x * 6364136223846793005 + 1442695040888963407;
	for (uint64_t i = 25; i > 5; i--)
		factorial *= i;
	return x - factorial - 2;
}
