/**
 * {@code plat drill}: what servers do under faults. A decider is sent requests that must not be allowed ({@link
 * io.plat.cli.drill.DeciderDrill}); a server that asks a webhook is probed while this program stands in as that webhook and fails in
 * every way ({@link io.plat.cli.drill.WebhookDrill}). Open is what lets a request pass, closed is everything else.
 *
 * <p>Both begin and end with questions that are in order: a drill in which those have the wrong answer would tell nothing.
 */
@NullMarked
package io.plat.cli.drill;

import org.jspecify.annotations.NullMarked;
