/**
 * Metrics of requests and storage, with the names and labels of kube-apiserver.
 *
 * <p>Counting a request costs a map lookup and a few additions; nothing is formatted before a scrape. Clients cannot create series:
 * everything that is not served shares one.
 */
@NullMarked
package io.plat.apiserver.metrics;

import org.jspecify.annotations.NullMarked;
