package dev.understudy.mcp;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.understudy.relay.SharedRules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "dev.understudy.mcp", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    /** It talks to control ports like anybody else, by the client that commands have. */
    @ArchTest
    static final ArchRule mcp_usesOfTheSidecarOnlyWhatCallersUse = noClasses()
            .that()
            .resideInAPackage("dev.understudy.mcp..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.understudy.aggregator..",
                    "dev.understudy.agent..",
                    "dev.understudy.sidecar",
                    "dev.understudy.sidecar.lane..",
                    "dev.understudy.sidecar.control..",
                    "dev.understudy.sidecar.steer..",
                    "dev.understudy.sidecar.verdict..",
                    "java.net.http..");

    @ArchTest
    static final ArchRule packages_haveNoCycles = SharedRules.importsRunOneWay("dev\\.understudy\\.mcp\\.(.*)");
}
