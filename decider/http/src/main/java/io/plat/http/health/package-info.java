/**
 * Liveness and readiness: named checks, requested one by one or together, with responses like those of kube-apiserver. Independent of the HTTP
 * server: handlers send the results.
 */
@NullMarked
package io.plat.http.health;

import org.jspecify.annotations.NullMarked;
