/**
 * {@code plat lint}: errors, redundancies and dangers in a policy, and privilege escalations.
 *
 * <p>A subject that may create pods in a namespace, or run a command in existing ones, may use every service account of it; one that may create
 * their tokens, impersonate, approve and sign certificates, or write roles and bindings without holding their rights, may act accordingly.
 * {@link io.plat.cli.lint.EscalationSearch} finds the subjects that gain rights in this way, and the steps.
 */
@NullMarked
package io.plat.cli.lint;

import org.jspecify.annotations.NullMarked;
