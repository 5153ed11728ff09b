package dev.understudy.relay;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "dev.understudy.relay", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule relay_importsNothingOfOurs = noClasses()
            .that()
            .resideInAPackage("dev.understudy.relay..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.understudy.divergence..",
                    "dev.understudy.sidecar..",
                    "dev.understudy.aggregator..",
                    "dev.understudy.agent..");

    @ArchTest
    static final ArchRule dataPath_knowsNoConfigurationFilesAndNoControl = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.understudy.relay.config..", "dev.understudy.relay.control..", "dev.understudy.relay.split..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.understudy.relay.config..", "dev.understudy.relay.control..");

    @ArchTest
    static final ArchRule relayThreads_knowNothingOfTheDebugSide = noClasses()
            .that()
            .resideInAPackage("dev.understudy.relay")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.understudy.relay.lane..", "dev.understudy.relay.deliver..");

    @ArchTest
    static final ArchRule debugSide_reachesRelaysThroughTheirTapsOnly = noClasses()
            .that()
            .resideInAnyPackage("dev.understudy.relay.lane..", "dev.understudy.relay.deliver..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.understudy.relay");

    @ArchTest
    static final ArchRule packages_haveNoCycles = SharedRules.importsRunOneWay("dev\\.understudy\\.(relay.*)");

    /** A log line and a recording's head say when they were written. */
    @ArchTest
    static final ArchRule relay_asksNoWallClock =
            SharedRules.noWallClock("dev.understudy.relay", "log\\..*|stream\\.RecordingWriter");
}
