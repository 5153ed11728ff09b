package dev.understudy.it.console;

import dev.understudy.it.stage.NeedsPrograms;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestClassOrder;

/** The console in a real browser: what somebody changes with it, who may, and how it stands beside the commands. */
@Tag("any-jdk")
@NeedsPrograms("chromium")
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
final class ConsoleOrdersIT extends OpenedConsole {
    @Nested
    @Order(1)
    class Actions extends ConsoleActionChecks {}

    @Nested
    @Order(1)
    class Control extends ConsoleControlChecks {}

    @Nested
    @Order(2)
    class Session extends ConsoleSessionChecks {}
}
