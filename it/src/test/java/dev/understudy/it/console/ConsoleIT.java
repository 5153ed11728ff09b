package dev.understudy.it.console;

import dev.understudy.it.stage.NeedsPrograms;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestClassOrder;

/** The console in a real browser: what somebody sees who looks for a defect with it alone. */
@Tag("any-jdk")
@NeedsPrograms("chromium")
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
final class ConsoleIT extends OpenedConsole {
    @Nested
    @Order(1)
    class Exchanges extends ConsoleExchangeChecks {}

    @Nested
    @Order(1)
    class Newcomer extends ConsoleNewcomerChecks {}

    @Nested
    @Order(2)
    class Overview extends ConsoleOverviewChecks {}

    @Nested
    @Order(2)
    class Code extends ConsoleCodeChecks {}
}
