/**
 * What a server counts and measures, and how monitors read it: one registry in the Prometheus text format. Names are the
 * field's where it has one. Knows no HTTP server and no authorizer: both feed it.
 */
@NullMarked
package io.plat.http.metrics;

import org.jspecify.annotations.NullMarked;
