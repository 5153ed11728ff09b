package errand

// functions whose bodies the compiler puts where they are called

inline fun <T> checked(name: String, work: () -> T): T {
    val result = work()
    if (name.length > 5) {
        Thread.yield()
    }
    return result
}

inline fun <reified T> Iterable<*>.only(): List<T> {
    val found = ArrayList<T>()
    for (any in this) {
        if (any is T) {
            found.add(any)
        }
    }
    return found
}

inline fun List<Int>.eachUntil(limit: Int, crossinline action: (Int) -> Unit): Int {
    val run = Runnable {
        for (number in this) {
            if (number >= limit) {
                return@Runnable
            }
            action(number)
        }
    }
    run.run()
    return limit
}
