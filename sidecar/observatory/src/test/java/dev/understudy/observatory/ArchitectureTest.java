package dev.understudy.observatory;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.understudy.relay.SharedRules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "dev.understudy.observatory", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    /** It reads what others have written, and is never part of a relay. */
    @ArchTest
    static final ArchRule observatory_isNoPartOfARelay = noClasses()
            .that()
            .resideInAPackage("dev.understudy.observatory..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.understudy.agent..",
                    "dev.understudy.sidecar",
                    "dev.understudy.sidecar.lane..",
                    "dev.understudy.relay.split..",
                    "dev.understudy.relay.accept..",
                    "dev.understudy.relay.tap..");

    @ArchTest
    static final ArchRule packages_haveNoCycles = SharedRules.importsRunOneWay("dev\\.understudy\\.observatory\\.(.*)");
}
