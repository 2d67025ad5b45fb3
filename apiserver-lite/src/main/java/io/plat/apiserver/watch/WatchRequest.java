package io.plat.apiserver.watch;

import io.plat.apiserver.options.WatchOptions;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.type.Target;
import java.time.Duration;

/**
 * A watch that was asked for and admitted.
 *
 * @param client whose credential it was asked with
 * @param target the collection, or one object of it
 * @param options what to follow, and from where
 * @param timeout how long the watch may last; one that is not positive ends at once
 * @param form the form of its events
 */
public record WatchRequest(String client, Target target, WatchOptions options, Duration timeout, Representation form) {}
