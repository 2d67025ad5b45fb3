/**
 * From command-line options to an authorizer: which modes, where their policies come from, and what is deciding right now.
 *
 * <p>A command line that can't be right ({@link io.plat.engine.policy.UsageException}) and a file that can't be used ({@link
 * io.plat.review.source.ProblemsException}) are kept apart, as programs end with different exit statuses; each reports
 * everything at once. A policy is swapped in whole or not at all: {@link io.plat.engine.policy.LivePolicy} keeps the last good
 * one. May depend on every package of {@code io.plat.engine} and on {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.policy;

import org.jspecify.annotations.NullMarked;
