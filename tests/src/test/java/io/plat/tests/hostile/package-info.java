/**
 * Generated hostile requests against both servers, over HTTP/1.1 and HTTP/2, and the oracle that judges what came back. A run is
 * repeated by its printed seed; {@code -Pfull} sends a million.
 */
@NullMarked
package io.plat.tests.hostile;

import org.jspecify.annotations.NullMarked;
