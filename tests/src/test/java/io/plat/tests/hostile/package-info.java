/**
 * Generated hostile requests to both servers, over HTTP/1.1 and HTTP/2, and the oracle that checks the responses. A printed seed repeats a
 * run; {@code -Pfull} sends a million requests.
 */
@NullMarked
package io.plat.tests.hostile;

import org.jspecify.annotations.NullMarked;
