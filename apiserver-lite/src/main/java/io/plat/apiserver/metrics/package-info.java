/**
 * What an API server counts about its requests and its storage, under the names and labels that existing servers have.
 *
 * <p>Counting a request is a look into a map and a few additions; nothing is formatted before somebody reads it. A client makes no
 * series: whatever is not served shares one.
 */
@NullMarked
package io.plat.apiserver.metrics;

import org.jspecify.annotations.NullMarked;
