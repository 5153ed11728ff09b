package dev.understudy.kubernetes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.understudy.relay.SharedRules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@AnalyzeClasses(packages = "dev.understudy.kubernetes", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    /** It reads and writes text: no cluster is asked, and no sidecar. */
    @ArchTest
    static final ArchRule manifests_areMadeOfTextAlone = noClasses()
            .that()
            .resideInAnyPackage("dev.understudy.kubernetes.manifest..", "dev.understudy.kubernetes.inject..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.understudy.sidecar..", "dev.understudy.relay..", "io.netty..", "java.net..", "picocli..");

    @ArchTest
    static final ArchRule packages_haveNoCycles = SharedRules.importsRunOneWay("dev\\.understudy\\.kubernetes\\.(.*)");
}
