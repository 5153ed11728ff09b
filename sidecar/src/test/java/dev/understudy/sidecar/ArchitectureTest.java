package dev.understudy.sidecar;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.understudy.relay.SharedRules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Who may import whom: command, root, control, lane, and below them frame, order, trace, verdict and window. */
@AnalyzeClasses(packages = "dev.understudy", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String ROOT = "dev.understudy.sidecar";

    @ArchTest
    static final ArchRule sidecar_doesNotKnowTheOtherHouses = noClasses()
            .that()
            .resideInAPackage(ROOT + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.understudy.aggregator..", "dev.understudy.agent..", "dev.understudy.example..");

    @ArchTest
    static final ArchRule commands_areImportedByNobody = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".command..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".command..");

    @ArchTest
    static final ArchRule packages_importOneWay = SharedRules.importsRunOneWay("dev\\.understudy\\.sidecar\\.(\\w+).*");

    @ArchTest
    static final ArchRule lower_packages_standAlone = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".frame", ROOT + ".order", ROOT + ".window", ROOT + ".trace", ROOT + ".verdict")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".lane", ROOT + ".control");

    @ArchTest
    static final ArchRule lanes_knowNeitherControlNorAssembly = noClasses()
            .that()
            .resideInAPackage(ROOT + ".lane")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".control", "dev.understudy.relay.control", "dev.understudy.relay.config");

    @ArchTest
    static final ArchRule order_andWindow_needNoNetwork = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".order", ROOT + ".window")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "dev.understudy.relay..");

    /**
     * Spans, the window's reading, verdicts of a replay, and since when there is a recording have a wall clock's time.
     */
    @ArchTest
    static final ArchRule dataPath_asksNoWallClock = SharedRules.noWallClock(
            ROOT,
            "command\\..*|control\\..*|ControlPort|LaneSide|Ticker|trace\\.WallClock|replay\\.Replies"
                    + "|record\\.(LiveRecording|RecordingSwitch)");
}
