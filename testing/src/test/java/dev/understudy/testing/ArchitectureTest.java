package dev.understudy.testing;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** Whoever depends on this module gets Jackson, and JUnit if the suite has it; the programs are processes. */
@AnalyzeClasses(packages = "dev.understudy.testing", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule module_needsJacksonAndJUnitAlone = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..", "dev.understudy.testing..", "com.fasterxml.jackson..", "org.junit..", "org.jspecify..");

    @ArchTest
    static final ArchRule junit_isNeededByTheExtensionAlone = noClasses()
            .that()
            .resideOutsideOfPackage("dev.understudy.testing.junit")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.junit..", "dev.understudy.testing.junit");
}
