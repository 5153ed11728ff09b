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
            .resideInAPackage("dev.understudy.relay")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.understudy.relay.config..", "dev.understudy.relay.control..");

    @ArchTest
    static final ArchRule relayThreads_knowNothingOfTheDebugSide = noClasses()
            .that()
            .haveSimpleNameStartingWith("Relay")
            .or()
            .haveSimpleName("ForwardHandler")
            .or()
            .haveSimpleName("TapHandler")
            .or()
            .haveSimpleName("TapGuard")
            .and()
            .resideInAPackage("dev.understudy.relay")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "dev\\.understudy\\.relay\\.(Lane.*|Window|Cue.*|Deliverer|DebugPeer|DebugConnector|DebugObserver)");
}
