/**
 * Liveness and readiness: named checks, requested one by one or together, with responses like those of kube-apiserver. Knows no HTTP server; a
 * route turns a result into a response.
 */
@NullMarked
package io.plat.http.health;

import org.jspecify.annotations.NullMarked;
