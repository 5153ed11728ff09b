/**
 * {@code understudy doctor}: what of this machine stands in the way. It looks only, and each look has a time limit.
 *
 * <pre>
 *   DoctorCommand ──▶ Examination ──▶ HealthCheck: ProgramHealth · JvmHealth · KernelHealth · SpaceHealth ──▶ HealthFinding
 * </pre>
 */
@NullMarked
package dev.understudy.session.doctor;

import org.jspecify.annotations.NullMarked;
