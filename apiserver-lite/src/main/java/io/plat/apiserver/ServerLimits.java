package io.plat.apiserver;

import io.plat.apiserver.watch.WatchLimits;
import io.plat.http.HttpLimits;

/**
 * Limits that no flag sets.
 *
 * @param http limits on connections and requests; the request timeout is set by a flag
 */
record ServerLimits(HttpLimits http, WatchLimits watches) {
    static final ServerLimits DEFAULT = new ServerLimits(HttpLimits.DEFAULT, WatchLimits.DEFAULT);
}
