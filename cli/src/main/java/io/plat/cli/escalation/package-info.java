/**
 * Privilege escalation: ways to gain more rights, by granting them to oneself, or by acting as a subject with them.
 *
 * <p>A subject that may create pods in a namespace, or run a command in existing ones, may use every service account of it; one that may create
 * their tokens, impersonate, approve and sign certificates, or write roles and bindings without holding their rights, may act accordingly.
 * {@link io.plat.cli.escalation.EscalationSearch} finds the subjects that gain rights in this way, and the steps. May depend on
 * {@code io.plat.engine.access} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.cli.escalation;

import org.jspecify.annotations.NullMarked;
