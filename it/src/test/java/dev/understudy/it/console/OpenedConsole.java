package dev.understudy.it.console;

import dev.understudy.it.stage.ConsoleStage;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A browser and a session, which take longer to open than most checks: all checks of a class share them. */
abstract class OpenedConsole {
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
}
