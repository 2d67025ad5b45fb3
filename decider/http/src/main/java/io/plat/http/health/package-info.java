/**
 * Is the server alive, is it ready: named checks, asked one by one or together, answered as existing servers answer. Knows no
 * HTTP server; a route turns an answer into a response.
 */
@NullMarked
package io.plat.http.health;

import org.jspecify.annotations.NullMarked;
