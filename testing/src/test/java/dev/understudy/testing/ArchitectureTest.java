package dev.understudy.testing;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Whoever depends on this module gets Jackson, and what of JUnit and Testcontainers a suite has; no program. */
@AnalyzeClasses(packages = "dev.understudy.testing", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule module_needsJacksonAndJUnitAlone = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "dev.understudy.testing..",
                    "com.fasterxml.jackson..",
                    "org.junit..",
                    "org.jspecify..",
                    "org.testcontainers..",
                    "com.github.dockerjava..");

    @ArchTest
    static final ArchRule junit_isNeededByTheExtensionAlone = noClasses()
            .that()
            .resideOutsideOfPackage("dev.understudy.testing.junit")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.junit..", "dev.understudy.testing.junit");

    /** A suite without it uses the other environment. */
    @ArchTest
    static final ArchRule testcontainers_isNeededByContainersAlone = noClasses()
            .that()
            .haveSimpleNameNotContaining("Container")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.testcontainers..", "com.github.dockerjava..");
}
