package io.plat.apiserver;

import io.plat.apiserver.watch.WatchLimits;
import io.plat.http.HttpLimits;

/**
 * The bounds that no flag sets.
 *
 * @param http of connections and requests; the time for a request to arrive is a flag's
 * @param watches of what lasts
 */
record ServerLimits(HttpLimits http, WatchLimits watches) {
    static final ServerLimits DEFAULT = new ServerLimits(HttpLimits.DEFAULT, WatchLimits.DEFAULT);
}
