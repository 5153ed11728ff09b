import groovy.transform.CompileStatic
import java.util.concurrent.ConcurrentHashMap
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.jvm.functions.Function2
import kotlinx.coroutines.AwaitKt
import kotlinx.coroutines.BuildersKt
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelayKt
import kotlinx.coroutines.Dispatchers
import scala.Function1
import scala.collection.immutable.HashMap$
import scala.collection.immutable.Range$

// what Groovy makes itself: call sites, closures, traits, methods that come and go
trait Loud {
    String shout() { "${name().toUpperCase()}!" }
}

class Walker implements Loud {
    String name() { 'walker' }

    def methodMissing(String name, arguments) { "$name has ${arguments.length} arguments" }

    @CompileStatic
    static int sum(List<Integer> numbers) {
        int sum = 0
        for (int number : numbers) {
            sum += number
        }
        return sum
    }
}

def fibonacci(n) {
    n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
}

def told = []
def walker = new Walker()
told << "groovy ${walker.shout()} ${walker.wander(1, 2, 3)} ${Walker.sum((1..40).toList())} ${fibonacci(12)}"
Integer.metaClass.twice = { delegate * 2 }
told << "closures ${[3, 1, 2].sort { -it }.collect { it.twice() }} ${'a1b22'.replaceAll(/\d+/) { "<$it>" }}"
try {
    null.nothing()
} catch (NullPointerException expected) {
    told << 'thrown ' + expected.class.simpleName
}

// Kotlin: functions that suspend, on its own threads and back
def lengths = BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, { scope, continuation ->
    def tasks = (1..5).collect { step ->
        BuildersKt.async(scope, Dispatchers.default, CoroutineStart.DEFAULT, { inner, after ->
            DelayKt.delay(step, after)
        } as Function2)
    }
    AwaitKt.awaitAll(tasks, continuation)
} as Function2)
told << "kotlin ${lengths == null ? 'nothing' : 'resumed'}"
told << "kotlin ${kotlin.collections.CollectionsKt.chunked((1..7).toList(), 3)}"
told << "kotlin ${new kotlin.text.Regex('[aeiou]').replace('understudy', '.')}"
told << "kotlin ${kotlin.text.StringsKt.commonPrefixWith('prelude', 'prefix', false)}"

// Scala: collections with their traits and specialised functions
def tripled = Range$.MODULE$.apply(0, 20).map({ it * 3 } as Function1)
told << "scala ${tripled.toList().mkString(' ')}"
def map = HashMap$.MODULE$.empty()
50.times { map = map.updated(it % 17, it) }
told << "scala ${map.size()} ${map.toSeq().map({ it._1() * it._2() } as Function1).sum(scala.math.Numeric$IntIsIntegral$.MODULE$)}"
told*.toString()
