/**
 * From command-line options to an authorizer: the modes, the sources of their policies, and the policy in effect.
 *
 * <p>Problems of the command line ({@link io.plat.engine.policy.AuthorizationOptions#problems}) and of files ({@link
 * io.plat.review.source.ProblemsException}) are distinct, as their exit codes differ; all of either are reported at once. A policy is replaced as a whole or not at all: {@link
 * io.plat.engine.policy.LivePolicy} retains the last valid one. May depend on every package of {@code io.plat.engine} and on {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.policy;

import org.jspecify.annotations.NullMarked;
