print("rangers")
