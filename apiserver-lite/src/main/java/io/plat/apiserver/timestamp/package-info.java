/**
 * Times as RFC 3339 writes them, read and written as bytes where that is hot. One reader for what a request may hold and for what
 * the binary form can hold, so that nothing is stored that could not be answered. Knows nothing else of the server.
 */
@NullMarked
package io.plat.apiserver.timestamp;

import org.jspecify.annotations.NullMarked;
