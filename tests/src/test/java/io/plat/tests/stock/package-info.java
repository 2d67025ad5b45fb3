/**
 * Comparison of apiserver-lite with a stock kube-apiserver: the same requests in the same state, and the answers side by side. The
 * recorded answers are data that is kept outside this project ({@code -Dplat.stock=FOLDER}); the tests are skipped without them.
 */
@org.jspecify.annotations.NullMarked
package io.plat.tests.stock;
