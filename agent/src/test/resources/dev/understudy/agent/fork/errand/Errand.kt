package errand

import kotlin.properties.Delegates
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

sealed interface Parcel {
    val weight: Int

    fun describe(prefix: String = "parcel"): String = "$prefix of $weight"
}

data class Box(override val weight: Int, val label: String?) : Parcel

data class Letter(override val weight: Int) : Parcel {
    override fun describe(prefix: String) = super.describe(prefix) + " by post"
}

data object Nothing : Parcel {
    override val weight get() = 0
}

enum class Speed { SLOW, FAST, OVERNIGHT }

@JvmInline
value class Cents(val amount: Int) {
    operator fun plus(other: Cents) = Cents(amount + other.amount)

    fun rounded(): Cents = if (amount % 5 < 3) Cents(amount - amount % 5) else Cents(amount + 5 - amount % 5)
}

class Office private constructor(val town: String) {
    lateinit var clerk: String
    val sign: String by lazy { "office of $town" }
    var served: Int by Delegates.observable(0) { _, old, new -> changes.add("$old to $new") }
    val changes = ArrayList<String>()

    fun fee(parcel: Parcel, speed: Speed): Cents {
        val base = when (parcel) {
            is Box -> if (parcel.weight > 100) 900 else parcel.label?.length ?: 700
            is Letter -> 80
            Nothing -> 0
        }
        val more = when (speed) {
            Speed.SLOW -> 0
            Speed.FAST -> base / 2
            Speed.OVERNIGHT -> base * 2
        }
        served++
        return (Cents(base) + Cents(more)).rounded()
    }

    fun greeting(): String = if (::clerk.isInitialized) "$clerk at the $sign" else "nobody at the $sign"

    fun `what the clerk says`(word: String?): String = when (word) {
        null -> "silence"
        "hello", "good day" -> "welcome"
        in setOf("bye", "ciao") -> "farewell"
        else -> word.let { if (it.isBlank()) "pardon" else it.reversed() }
    }

    companion object {
        private const val MOST = 3

        @JvmStatic
        fun of(town: String?): Office = Office(requireNotNull(town) { "no town" })

        tailrec fun digits(number: Long, sofar: Int = 0): Int =
            if (number < 10) sofar + 1 else digits(number / 10, sofar + 1)

        fun sorted(numbers: List<Int>): List<Int> {
            var swaps = 0
            val sorted = numbers.toMutableList()
            outer@ for (i in sorted.indices) {
                for (j in 0 until sorted.size - 1 - i) {
                    if (sorted[j] > sorted[j + 1]) {
                        sorted[j] = sorted[j + 1].also { sorted[j + 1] = sorted[j] }
                        swaps++
                    }
                    if (swaps > MOST * 100) break@outer
                }
            }
            return sorted
        }
    }
}

suspend fun fetched(number: Int, failing: Boolean): String {
    var tries = 0
    while (true) {
        try {
            tries++
            delay(1)
            if (failing && tries < 3) throw IllegalStateException("try $tries")
            return "fetched $number after $tries"
        } catch (again: IllegalStateException) {
            if (tries > 5) throw again
        } finally {
            withContext(Dispatchers.Default) { delay(1) }
        }
    }
}

fun steps(most: Int) = sequence {
    var step = 1
    while (step < most) {
        yield(step)
        if (step % 3 == 0) yieldAll(listOf(step * 10, step * 100))
        step += 2
    }
}

fun early(numbers: List<Int>): Int {
    checked("early") {
        numbers.forEach { if (it > 2) return it }
    }
    return -1
}

val guard = Any()

fun guarded(number: Int): Int = synchronized(guard) {
    try {
        if (number > 2) throw IllegalArgumentException("$number")
        number + 1
    } catch (expected: IllegalArgumentException) {
        -1
    }
}

object Errand {
    @JvmStatic
    fun told(): Array<String> {
        val told = ArrayList<String>()
        val office = Office.of("Ulm")
        told += office.greeting()
        try {
            told += office.clerk
        } catch (expected: UninitializedPropertyAccessException) {
            told += "lateinit ${expected.message}"
        }
        office.clerk = "Ida"
        told += office.greeting()
        for (parcel in listOf(Box(5, "glass"), Box(5, null), Box(500, null), Letter(3), Nothing)) {
            told += Speed.entries.joinToString(prefix = "$parcel ${parcel.describe()} ") {
                office.fee(parcel, it).toString()
            }
        }
        told += "changes ${office.changes.size} ${office.changes.last()}"
        told += listOf(null, "hello", "ciao", "", "ABC").map(office::`what the clerk says`).toString()
        told += "digits ${Office.digits(1234567890123)} sorted ${Office.sorted(listOf(3, 1, 2, 9, 8))}"
        told += "unsigned ${listOf(1u, 4_000_000_000u).sum()} ${UInt.MAX_VALUE / 3u}"
        told += runBlocking {
            (1..4).map { async(Dispatchers.Default) { fetched(it, it % 2 == 0) } }.awaitAll().toString()
        }
        told += runBlocking {
            flow {
                for (i in 1..3) {
                    delay(1)
                    emit(i)
                }
            }.map { if (it > 1) it * 2 else it }.toList().toString()
        }
        told += "steps ${steps(9).toList()} early ${early(listOf(1, 2, 3))} ${early(listOf())}"
        told += "only ${listOf("a", 1, 'b', 2).only<Int>()} ${listOf(1, 5).eachUntil(3) { told.add("each $it") }}"
        told += "guarded ${guarded(1)} ${guarded(7)}"
        told += checked("a long name") { "checked" }
        try {
            Office.of(null)
        } catch (expected: IllegalArgumentException) {
            told += "null: ${expected.message}"
        }
        return told.toTypedArray()
    }
}
