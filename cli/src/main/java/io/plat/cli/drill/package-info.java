/**
 * {@code plat drill}: fault injection. A decider receives requests that must not be allowed ({@link io.plat.cli.drill.DeciderDrill}); a server
 * with a webhook is probed while this program acts as that webhook and fails in every way ({@link io.plat.cli.drill.WebhookDrill}). A fault that
 * allows a request is open, any other is closed.
 *
 * <p>Both begin and end with valid requests: if those have the wrong result, the drill is inconclusive.
 */
@NullMarked
package io.plat.cli.drill;

import org.jspecify.annotations.NullMarked;
