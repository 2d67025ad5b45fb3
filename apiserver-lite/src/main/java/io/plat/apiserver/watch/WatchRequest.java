package io.plat.apiserver.watch;

import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.type.Target;
import java.time.Duration;

/**
 * Admitted request for a watch.
 *
 * @param client key for fair sharing
 * @param timeout maximum duration; if not positive, the watch ends immediately
 */
public record WatchRequest(String client, Target target, ListOptions options, Duration timeout, Representation form) {}
