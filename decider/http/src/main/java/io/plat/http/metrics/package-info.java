/**
 * Metrics of a server: one registry in the Prometheus text format. Names are Kubernetes' if it has one. Independent of HTTP server and
 * authorizer: both feed it.
 */
@NullMarked
package io.plat.http.metrics;

import org.jspecify.annotations.NullMarked;
