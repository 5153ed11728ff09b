package dev.understudy.relay;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Date;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

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
            .resideOutsideOfPackages("dev.understudy.relay.config..", "dev.understudy.relay.control..")
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
    static final ArchRule packages_haveNoCycles =
            slices().matching("dev.understudy.(relay..)").should().beFreeOfCycles();

    /**
     * A clock that jumps must move no timer: what waits is measured by {@link System#nanoTime}. A log line and a
     * recording's head say when they were written.
     */
    @ArchTest
    static final ArchRule relay_asksNoWallClock = noClasses()
            .that()
            .resideInAPackage("dev.understudy.relay..")
            .and()
            .resideOutsideOfPackage("dev.understudy.relay.log..")
            .and()
            .doNotHaveSimpleName("RecordingWriter")
            .should()
            .callMethodWhere(target(owner(assignableTo(System.class))).and(target(name("currentTimeMillis"))))
            .orShould()
            .callMethodWhere(target(owner(resideInAPackage("java.time..")))
                    .and(target(nameMatching("now|system.*|instant|millis"))))
            .orShould()
            .callConstructor(Date.class);
}
