// Command image builds a container image of the datachain command without a container
// daemon: an OCI layout on disk, and a software bill of materials (CycloneDX) beside it
// for each platform.
//
//	go run ./image -out build/image
//
// The image has nothing but the static program, the certificate authorities that Mozilla
// trusts, and the accounts of the user that it runs as, who is not root. Two builds of the
// same commit with the same Go release give the same digest: no file has a time of its
// own, and the time of the image is that of the commit (or SOURCE_DATE_EPOCH, if set).
//
// Push the result with any tool that reads OCI layouts, such as
//
//	crane push build/image/oci registry.example/datachain:1.0
//	skopeo copy oci:build/image/oci docker://registry.example/datachain:1.0
package main
