/**
 * Rules that have a copy made: what they wait for, and how often they may.
 *
 * <pre>
 * RulesFile ──▶ TriggerRule (RuleCondition)
 * recordings ──▶ TapTail ──▶ TrafficWindow ──┐
 * log file ──▶ LogTail ─────────────────────┼──▶ RuleConditions ──▶ RuleBook (cool-down, cap) ──▶ session.mode
 * sidecar ──▶ DivergenceKinds ──────────────┤
 * alert ──▶ AlertPort ──▶ AlertMessage ─────┘
 * </pre>
 */
@NullMarked
package dev.understudy.session.trigger;

import org.jspecify.annotations.NullMarked;
