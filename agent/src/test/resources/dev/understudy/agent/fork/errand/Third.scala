package errand.third

// what only Scala 3 has

enum Tone(val pitch: Int):
  case Low extends Tone(100)
  case High(step: Int) extends Tone(1000 + step)

  def tuned: String = this match
    case Low => "low"
    case High(step) if step > 10 => s"very high $step"
    case High(step) => s"high $step"

trait Show[T]:
  def show(value: T): String
  extension (value: T) def shown: String = s"<${show(value)}>"

given Show[Int] with
  def show(value: Int): String = if value < 0 then s"minus ${-value}" else value.toString

given [T](using inner: Show[T]): Show[List[T]] with
  def show(value: List[T]): String = value.map(inner.show).mkString("+")

opaque type Key = String
object Key:
  def apply(text: String): Key = if text.length > 3 then text.take(3) else text
extension (key: Key) def twice: String = key + key

inline def guarded[T](inline condition: Boolean)(inline work: => T): Option[T] =
  if condition then
    Some(work)
  else None

def either(value: Int | String): Int = value match
  case number: Int => number
  case text: String => text.length

class Store(val size: Int):
  lazy val first: List[Int] = if size > 2 then List.range(0, size) else Nil
  lazy val second: Int = first.sum
export Errand.told as everything

object Errand:
  def told(): Array[String] =
    val store = Store(4)
    Array(
      List(Tone.Low, Tone.High(3), Tone.High(30)).map(_.tuned).mkString(" "),
      List(1, -2, 3).shown,
      Key("abcdef").twice,
      s"${guarded(store.size > 3)(store.second)} ${guarded(store.size > 4)(store.second)}",
      s"${either(4)} ${either("four")} ${Tone.Low.ordinal}"
    )
