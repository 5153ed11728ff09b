package dev.understudy.it.console;

import dev.understudy.it.stage.ConsoleStage;
import dev.understudy.it.stage.NeedsPrograms;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in a real browser: what somebody sees who looks for a defect with it alone. All checks share a browser
 * and a session, which take most of the time; so they are one class here, and cut along the views where they are
 * written.
 */
@Tag("any-jdk")
@NeedsPrograms("chromium")
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class ConsoleIT {
    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        ConsoleChecks.folder = folder;
        ConsoleStage stage = ConsoleStage.open(folder);
        ConsoleChecks.stage = stage;
        ConsoleChecks.calls = stage.call("/stock/1,/stock/2", "/stock/1,/stock/2%3Cscript%3E");
        stage.order();
        stage.agent().observe();
    }

    @AfterAll
    static void close() {
        if (ConsoleChecks.stage != null) {
            ConsoleChecks.stage.close();
        }
    }

    @Nested
    @Order(1)
    class Exchanges extends ConsoleExchangeChecks {}

    @Nested
    @Order(2)
    class Overview extends ConsoleOverviewChecks {}

    @Nested
    @Order(1)
    class Newcomer extends ConsoleNewcomerChecks {}

    @Nested
    @Order(2)
    class Code extends ConsoleCodeChecks {}

    @Nested
    @Order(3)
    class Actions extends ConsoleActionChecks {}

    @Nested
    @Order(3)
    class Control extends ConsoleControlChecks {}

    @Nested
    @Order(4)
    class Session extends ConsoleSessionChecks {}
}
