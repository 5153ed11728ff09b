package dev.understudy.agent;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

@ArchTag("any-jdk")
@AnalyzeClasses(packages = "dev.understudy.agent", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    /** Whatever the bootstrap part needs, the application would see. */
    @ArchTest
    static final ArchRule bootstrap_needsNothingButTheJdk = classes()
            .that()
            .resideInAPackage("..bootstrap..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("..bootstrap..", "java..", "org.jspecify..", "jdk.internal.vm.annotation");

    /** With the two rules beside it no package can need itself. */
    @ArchTest
    static final ArchRule imports_runOneWay = noClasses()
            .that()
            .resideInAnyPackage("..weave", "..budget", "..branch")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..request", "..export");

    @ArchTest
    static final ArchRule branches_areWovenInWhateverIsWoven = noClasses()
            .that()
            .resideInAPackage("..branch")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..weave", "..budget", "..cache");

    @ArchTest
    static final ArchRule weaving_knowsNoBudgetAndNoExport = noClasses()
            .that()
            .resideInAnyPackage("..weave", "..request")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..budget", "..export");

    @ArchTest
    static final ArchRule nothing_endsTheJvmOrLogsInTheApplicationsWay = noClasses()
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "halt", int.class)
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.logging.Logger")
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("org.slf4j..");
}
