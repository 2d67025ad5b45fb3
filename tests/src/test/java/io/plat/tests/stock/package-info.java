/**
 * Comparison of apiserver-lite with kube-apiserver: the same requests in the same state. The recorded responses are stored outside of this
 * project ({@code -Dplat.stock=DIRECTORY}); the tests are skipped without them.
 */
@NullMarked
package io.plat.tests.stock;

import org.jspecify.annotations.NullMarked;
