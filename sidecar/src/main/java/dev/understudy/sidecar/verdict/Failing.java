package dev.understudy.sidecar.verdict;

/**
 * That an exchange fails, by the rules that held when it ended.
 *
 * @param by which kind of rule it was, such as {@code STATUS}
 * @param rule as people read it, such as {@code status from 500 on}
 */
public record Failing(String by, String rule) {}
