/**
 * A service as people build them with Spring Boot, Hibernate and HikariCP; the fidelity suites run it on both sides.
 */
package dev.understudy.it.jpa;
