/**
 * Every authorization mode in three systems: the engine itself, an apiserver-lite in that mode, and one in mode Webhook that delegates to a
 * decider with the same policy. The cases are those of {@code cases/}, and random ones.
 */
@NullMarked
package io.plat.tests.modes;

import org.jspecify.annotations.NullMarked;
