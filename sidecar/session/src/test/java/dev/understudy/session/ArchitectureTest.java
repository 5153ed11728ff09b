package dev.understudy.session;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.understudy.relay.SharedRules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "dev.understudy.session", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    /** A session starts the programs, and talks to their control ports like anybody else. */
    @ArchTest
    static final ArchRule session_usesOfTheSidecarOnlyWhatCallersUse = noClasses()
            .that()
            .resideInAPackage("dev.understudy.session..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "dev.understudy.aggregator..",
                            "dev.understudy.agent..",
                            "dev.understudy.sidecar.lane..",
                            "dev.understudy.sidecar.tee..",
                            "dev.understudy.sidecar.verdict..",
                            "dev.understudy.relay.split..")
                    // it is a word of settings and reports
                    .and(not(simpleName("CopyState"))));

    @ArchTest
    static final ArchRule packages_haveNoCycles = SharedRules.importsRunOneWay("dev\\.understudy\\.session\\.(.*)");
}
