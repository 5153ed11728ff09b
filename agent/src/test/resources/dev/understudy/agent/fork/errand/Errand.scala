package errand.scala

import scala.annotation.tailrec
import scala.collection.mutable
import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration._
import scala.util.{Failure, Success, Try}

// read by the compilers of Scala 2 and 3

trait Counting {
  val log: mutable.Buffer[String] = mutable.Buffer.empty
  lazy val started: String = { log += "started"; s"from ${log.size}" }
  def name: String
  def count(by: Int = 1): Int = { log += s"$name by $by"; log.size }
}

trait Loud extends Counting {
  override def count(by: Int): Int = if (by > 2) super.count(by * 2) else super.count(by)
}

sealed trait Shape
case class Circle(radius: Double) extends Shape
case class Rectangle(width: Int, height: Int) extends Shape
case object Point extends Shape

class Metres(val length: Int) extends AnyVal {
  def +(other: Metres): Metres = new Metres(length + other.length)
  def unary_! : Metres = if (length > 10) new Metres(10) else this
}

class Cell[@specialized(Int, Long) T](private var held: T) {
  def swap(next: T): T = { val old = held; held = next; old }
}

class Desk extends Loud {
  def name = "desk"
  private lazy val dear: Int = { if (log.isEmpty) throw new IllegalStateException("too early"); log.size * 100 }

  def area(shape: Shape, doubled: Boolean = false): Long = {
    val one = shape match {
      case Circle(radius) if radius > 100 => 1000000L
      case Circle(radius) => (radius * radius * 3).toLong
      case Rectangle(width, height) if width == height => width.toLong * width
      case Rectangle(width, height) => width.toLong * height
      case Point => 0L
    }
    if (doubled) one * 2 else one
  }

  def word(any: Any): String = any match {
    case "hello" | "good day" => "welcome"
    case text: String if text.isEmpty => "empty"
    case number: Int if number > 5 => s"many $number"
    case first :: second :: _ => s"$first and $second"
    case (left: Int, right) => s"${left + 1} with $right"
    case null => "nothing"
    case _ => "other"
  }

  @tailrec final def digits(number: Long, sofar: Int = 0): Int =
    if (number < 10) sofar + 1 else digits(number / 10, sofar + 1)

  def unless(condition: => Boolean)(work: => Int): Int = if (condition) -1 else work

  def late: Try[Int] = Try(dear)

  def closing(numbers: List[Int]): Int = {
    var sum = 0
    def add(number: Int): Unit = if (number % 2 == 0) sum += number else sum -= 1
    numbers.foreach(add)
    this.synchronized {
      try { if (sum > 3) throw new RuntimeException("sum"); sum }
      catch { case _: RuntimeException => sum * 10 }
      finally log += "closed"
    }
  }

  def `what the desk says`(number: Int): PartialFunction[Int, String] = {
    case same if same == number => "same"
    case more if more > number => "more"
  }
}

object Errand {
  def told(): Array[String] = {
    val told = mutable.ArrayBuffer[String]()
    val desk = new Desk
    told += s"late ${desk.late.isFailure} ${desk.count()} ${desk.count(3)} ${desk.started} ${desk.late}"
    told += desk.log.mkString(" ")
    val shapes = List(Circle(2), Circle(200), Rectangle(3, 3), Rectangle(3, 4), Point)
    told += shapes.map(desk.area(_)).toString + desk.area(Circle(1), doubled = true)
    told += List("hello", "", 9, List(1, 2, 3), (4, "x"), null, 2.0).map(desk.word).mkString(" ")
    told += s"digits ${desk.digits(1234567890123L)} unless ${desk.unless(told.isEmpty)(7)} ${desk.unless(told.nonEmpty)(7)}"
    told += s"closing ${desk.closing(List(1, 2, 3))} ${desk.closing(List(4, 6))}"
    val says = desk.`what the desk says`(3)
    told += List(2, 3, 4).map(says.lift(_).getOrElse("less")).toString
    told += s"metres ${(!(new Metres(7) + new Metres(8))).length} cell ${new Cell(4).swap(5)} ${new Cell("a").swap("b")}"
    val squares = for { i <- 1 to 4; if i % 2 == 0; j <- 1 to i } yield i * j
    told += squares.toString
    val future = Future.sequence((1 to 3).map(i => Future(if (i > 2) i * 10 else i)))
    told += Await.result(future, 10.seconds).toString
    told += (Try(desk.area(null)) match {
      case Success(area) => s"area $area"
      case Failure(wrong) => wrong.getClass.getSimpleName
    })
    told.toArray
  }
}
